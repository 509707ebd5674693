/** The styles of every page: light and dark, wide and narrow. */
export const BASE_STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d9dee5; --paper: #fff; --panel: #f5f7fa;
  --red: #b3261e; --violet: #6b5b95; --amber: #9a6700; --blue: #1f5fbf; --green: #3d7a3d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #39424f; --paper: #151a21; --panel: #1e252f;
  --red: #ff8a80; --violet: #c3b1e1; --amber: #f0c060; --blue: #8ab4f8; --green: #8fd18f; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1360px; margin: 0 auto; padding: 32px 24px 64px; }
li { overflow-wrap: anywhere; } h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; } h2 { font-size: 18px; margin: 32px 0 8px; }
.lead { color: var(--soft); margin: 0 0 20px; }
.cards { display: flex; flex-wrap: wrap; gap: 12px; list-style: none; margin: 0 0 12px; padding: 0; }
.cards li { background: var(--panel); border-left: 4px solid; border-radius: 4px; padding: 10px 18px; min-width: 130px; }
.cards b { display: block; font-size: 26px; line-height: 1.2; font-variant-numeric: tabular-nums; }
input { font: inherit; padding: 4px 8px; border: 1px solid var(--line); border-radius: 4px; background: var(--paper); color: inherit; }
#shown { color: var(--soft); margin-left: 8px; }
.data { border-collapse: collapse; width: 100%; } .data th, .data td { text-align: left; vertical-align: top; padding: 8px 10px; border-bottom: 1px solid var(--line); }
.data th { position: sticky; top: 0; background: var(--paper); padding: 4px 2px; }
.data th button { all: unset; cursor: pointer; font-weight: 600; padding: 4px 8px; border-radius: 4px; white-space: nowrap; }
.data th button:hover, .data th button:focus-visible { background: var(--panel); } .data th[aria-sort=ascending] button::after { content: " ↑"; } .data th[aria-sort=descending] button::after { content: " ↓"; }
small { display: block; color: var(--soft); margin-top: 4px; } small i { font-style: normal; font-weight: 600; }
.badge { border: 1px solid; border-radius: 10px; padding: 1px 9px; white-space: nowrap; font-size: 13px; }
@media (max-width: 1300px) { .scroll { overflow-x: auto; } .data th { position: static; } }
@media (max-width: 1100px) {
  .data, .data tbody, .data tr, .data td { display: block; } .data tr[hidden] { display: none; } .data thead { display: none; }
  .data tr { border-bottom: 1px solid var(--line); padding: 12px 0; } .data td { border: 0; padding: 2px 0; overflow-wrap: anywhere; }
  .data td:not(:first-child):not(:empty)::before { content: attr(data-label); display: block; font-size: 12px; font-weight: 600; color: var(--soft); margin-top: 4px; }
}
@media (max-width: 760px) {
  main { padding: 20px 16px 48px; } h1 { font-size: 22px; }
  .cards { gap: 8px; } .cards li { flex: 1 1 120px; min-width: 0; padding: 8px 12px; } .cards b { font-size: 22px; }
}
@media print { .data th { position: static; } .filter { display: none; } }
`;
