import { Playground } from "./playground.js";

// Puts the playground where the page has room for it.
for (const place of document.querySelectorAll<HTMLElement>("[data-playground]")) {
  const worker = new URL("worker.js", import.meta.url);
  place.replaceChildren(new Playground({ worker, findingsPage: place.dataset.findings }).element);
}
