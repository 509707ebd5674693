import { ask, type Question } from "../answers/ask.js";
import { messageOf } from "../../../core/model/errors.js";

// Answers questions beside the page, which stays responsive whatever the rules are.
self.addEventListener("message", ({ data }: MessageEvent<Question>) => {
  self.postMessage(answer(data));
});

/** A defect is an answer too: a page that waits forever would say nothing. */
function answer(question: Question): ReturnType<typeof ask> {
  try {
    return ask(question, new Date().toISOString());
  } catch (error) {
    return { rules: 0, findings: [], failure: messageOf(error) };
  }
}
