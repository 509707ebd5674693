/** The styles of this page, in addition to those of every page. */
export const STYLE = `
.cards .act { border-color: var(--red); } .cards .acknowledged { border-color: var(--violet); } .cards .watch { border-color: var(--amber); } .cards .automatic { border-color: var(--blue); } .cards .none { border-color: var(--green); }
svg { display: block; width: 100%; height: auto; margin: 8px 0 16px; }
svg text { fill: var(--ink); font: 600 13px system-ui, sans-serif; } svg .note { fill: var(--soft); font-weight: 400; }
svg line { stroke: var(--ink); } svg .before { fill: var(--line); } svg .switching { fill: var(--blue); opacity: .55; }
svg .self { fill: var(--amber); opacity: .7; } svg .after { fill: var(--red); opacity: .6; } svg .mark { fill: var(--ink); }
small.key { font: 12px ui-monospace, monospace; white-space: normal; overflow-wrap: anywhere; }
.badge.act { color: var(--red); } .badge.acknowledged { color: var(--violet); } .badge.watch { color: var(--amber); } .badge.automatic { color: var(--blue); }
.scroll svg { min-width: 640px; }
.days { display: none; }
@media (min-width: 1101px) {
  .data td:nth-child(4) { white-space: nowrap; } .data td:nth-child(6), .data td:nth-child(7) { min-width: 220px; overflow-wrap: anywhere; }
  small.key { max-width: 230px; }
}
@media (max-width: 760px) {
  svg { display: none; } .days { display: block; margin: 12px 0 20px; padding: 0; list-style: none; color: var(--soft); } .days b { color: var(--ink); }
}
`;
