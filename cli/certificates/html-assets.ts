/** How the page looks. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d9dee5; --paper: #fff; --panel: #f5f7fa;
  --act: #b3261e; --acknowledged: #6b5b95; --watch: #9a6700; --automatic: #1f5fbf; --none: #3d7a3d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #39424f; --paper: #151a21; --panel: #1e252f;
  --act: #ff8a80; --acknowledged: #c3b1e1; --watch: #f0c060; --automatic: #8ab4f8; --none: #8fd18f; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1360px; margin: 0 auto; padding: 32px 24px 64px; }
li { overflow-wrap: anywhere; } h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; } h2 { font-size: 18px; margin: 32px 0 8px; }
.lead { color: var(--soft); margin: 0 0 20px; }
.cards { display: flex; flex-wrap: wrap; gap: 12px; list-style: none; margin: 0 0 12px; padding: 0; }
.cards li { background: var(--panel); border-left: 4px solid; border-radius: 4px; padding: 10px 18px; min-width: 130px; }
.cards b { display: block; font-size: 26px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.cards .act { border-color: var(--act); } .cards .acknowledged { border-color: var(--acknowledged); } .cards .watch { border-color: var(--watch); } .cards .automatic { border-color: var(--automatic); } .cards .none { border-color: var(--none); }
svg { display: block; width: 100%; height: auto; margin: 8px 0 16px; }
svg text { fill: var(--ink); font: 600 13px system-ui, sans-serif; } svg .note { fill: var(--soft); font-weight: 400; }
svg line { stroke: var(--ink); } svg .before { fill: var(--line); } svg .switching { fill: var(--automatic); opacity: .55; }
svg .self { fill: var(--watch); opacity: .7; } svg .after { fill: var(--act); opacity: .6; } svg .mark { fill: var(--ink); }
input { font: inherit; padding: 4px 8px; border: 1px solid var(--line); border-radius: 4px; background: var(--paper); color: inherit; }
#shown { color: var(--soft); margin-left: 8px; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: 8px 10px; border-bottom: 1px solid var(--line); }
th { position: sticky; top: 0; background: var(--paper); padding: 4px 2px; }
th button { all: unset; cursor: pointer; font-weight: 600; padding: 4px 8px; border-radius: 4px; white-space: nowrap; }
th button:hover, th button:focus-visible { background: var(--panel); } th[aria-sort=ascending] button::after { content: " ↑"; } th[aria-sort=descending] button::after { content: " ↓"; }
td:nth-child(4) { white-space: nowrap; } td:nth-child(6), td:nth-child(7) { min-width: 220px; overflow-wrap: anywhere; } small { display: block; color: var(--soft); margin-top: 4px; } small i { font-style: normal; font-weight: 600; }
small.key { font: 12px ui-monospace, monospace; white-space: normal; overflow-wrap: anywhere; max-width: 230px; }
.badge { border: 1px solid; border-radius: 10px; padding: 1px 9px; white-space: nowrap; font-size: 13px; }
.badge.act { color: var(--act); } .badge.acknowledged { color: var(--acknowledged); } .badge.watch { color: var(--watch); } .badge.automatic { color: var(--automatic); }
.scroll svg { min-width: 640px; }
.days { display: none; }
@media (max-width: 1300px) { .scroll { overflow-x: auto; } th { position: static; } }
@media (max-width: 1100px) {
  table, tbody, tr, td { display: block; } tr[hidden] { display: none; } thead { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: 12px 0; } td, td:nth-child(6), td:nth-child(7) { border: 0; padding: 2px 0; min-width: 0; }
  td:nth-child(4) { white-space: normal; overflow-wrap: anywhere; } small.key { max-width: none; }
  td:not(:first-child):not(:empty)::before { content: attr(data-label); display: block; font-size: 12px; font-weight: 600; color: var(--soft); margin-top: 4px; }
}
@media (max-width: 760px) {
  main { padding: 20px 16px 48px; } h1 { font-size: 22px; }
  svg { display: none; } .days { display: block; margin: 12px 0 20px; padding: 0; list-style: none; color: var(--soft); } .days b { color: var(--ink); }
  .cards { gap: 8px; } .cards li { flex: 1 1 120px; min-width: 0; padding: 8px 12px; } .cards b { font-size: 22px; }
}
@media print { th { position: static; } label, #shown { display: none; } }
`;

/** Sorts and filters the table. */
export const SCRIPT = `
const table = document.getElementById("certificates");
if (table) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const value = (row, index) => index === 0 ? row.dataset.rank : row.cells[index].textContent;
  heads.forEach((head, index) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.sort((a, b) => value(a, index).localeCompare(value(b, index), undefined, { numeric: true }) * (down ? -1 : 1));
    body.append(...rows);
  }));
  const filter = document.getElementById("filter"), shown = document.getElementById("shown");
  const apply = () => {
    const text = filter.value.toLowerCase();
    let count = 0;
    for (const row of rows) { row.hidden = !row.textContent.toLowerCase().includes(text); if (!row.hidden) count += 1; }
    shown.textContent = count + " of " + rows.length;
  };
  filter.addEventListener("input", apply);
  apply();
}
`;
