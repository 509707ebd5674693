/** Sorts the tables of a page by their headings, and filters their rows. */
export const TABLES_SCRIPT = `
const tables = [...document.querySelectorAll("table.data")];
const all = tables.flatMap((table) => [...table.tBodies[0].rows]);
for (const table of tables) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const value = (row, index) => index === 0 && row.dataset.rank !== undefined ? row.dataset.rank : row.cells[index].textContent;
  heads.forEach((head, index) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.sort((a, b) => value(a, index).localeCompare(value(b, index), undefined, { numeric: true }) * (down ? -1 : 1));
    body.append(...rows);
  }));
}
const filter = document.getElementById("filter"), shown = document.getElementById("shown");
if (filter) {
  const apply = () => {
    const text = filter.value.toLowerCase();
    let count = 0;
    for (const row of all) { row.hidden = !row.textContent.toLowerCase().includes(text); if (!row.hidden) count += 1; }
    for (const box of document.querySelectorAll("details")) if (text !== "") box.open = true;
    shown.textContent = count + " of " + all.length + " rows";
  };
  filter.addEventListener("input", apply);
  apply();
  addEventListener("hashchange", () => {
    const row = document.getElementById(location.hash.slice(1));
    if (row && row.hidden) { filter.value = ""; apply(); row.scrollIntoView(); }
  });
}
`;
