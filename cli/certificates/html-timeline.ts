import { CHAIN_TIMELINE } from "../../provider/chain/timeline.js";

const EVENTS = [
  { day: CHAIN_TIMELINE.switching, label: "June 2024", text: ["managed certificates", "start to be switched"] },
  {
    day: CHAIN_TIMELINE.selfSigned,
    label: "9 September 2024",
    text: ["self-signed chain only,", "in issuing and bundling"],
  },
  { day: CHAIN_TIMELINE.expired, label: "30 September 2024", text: ["the cross-signed", "chain expires"] },
];
const TIMELINE_START = Date.parse("2024-05-01");
const TIMELINE_END = Date.parse("2024-11-01");
const [LEFT, RIGHT] = [40, 920];

function position(day: string): number {
  const share = (Date.parse(day) - TIMELINE_START) / (TIMELINE_END - TIMELINE_START);
  return Math.round(LEFT + Math.min(1, Math.max(0, share)) * (RIGHT - LEFT));
}

/** The three dates of the chain change, and where the date of the report falls. */
export function timeline(date: string): string {
  const [switching, selfSigned, expired] = EVENTS.map(({ day }) => position(day)) as [number, number, number];
  const bar = (from: number, to: number, name: string): string =>
    `<rect class="${name}" x="${String(from)}" y="60" width="${String(to - from)}" height="12"/>`;
  const events = EVENTS.map(({ day, label, text }, index) => {
    const x = position(day);
    // The last two dates are close together, so one label goes to the left and the other to the right.
    const anchor = index === 0 ? "middle" : index === 1 ? "end" : "start";
    const at = x + (index === 1 ? -4 : index === 2 ? 4 : 0);
    const lines = text.map(
      (line, number) =>
        `<text class="note" x="${String(at)}" y="${String(108 + number * 16)}" text-anchor="${anchor}">${line}</text>`,
    );
    return `<line x1="${String(x)}" y1="54" x2="${String(x)}" y2="78"/><text x="${String(at)}" y="92" text-anchor="${anchor}">${label}</text>${lines.join("")}`;
  });
  const x = position(date);
  const outside = Date.parse(date) < TIMELINE_START ? "← " : Date.parse(date) > TIMELINE_END ? " →" : "";
  const mark = outside === "← " ? `← ${date}` : `${date}${outside}`;
  const side = x > 800 ? "end" : x < 120 ? "start" : "middle";
  return `<div class="scroll"><svg viewBox="0 0 960 140" role="img" aria-label="Timeline of the chain change, with the date of this report">
${bar(LEFT, switching, "before")}${bar(switching, selfSigned, "switching")}${bar(selfSigned, expired, "self")}${bar(expired, RIGHT, "after")}
${events.join("\n")}
<path class="mark" d="M${String(x)} 56 l-7 -12 h14 z"/><text class="mark" x="${String(x)}" y="36" text-anchor="${side}">this report: ${mark}</text>
</svg></div>
<ul class="days">${days(date)}</ul>`;
}

/** The same dates as a list, for pages too narrow for the picture. */
function days(date: string): string {
  const events = EVENTS.map(({ day, label, text }) => ({ day, words: `<b>${label}</b> ${text.join(" ")}` }));
  const all = [...events, { day: date, words: `<b>this report</b> ${date}` }];
  return all
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    .map(({ words }) => `<li>${words}</li>`)
    .join("");
}
