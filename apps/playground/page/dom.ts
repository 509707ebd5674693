type Child = Node | string | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** Makes an element. A function is a listener; an attribute that is `false` or undefined is left out. Texts stay texts. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A sentence with its expressions, which it has in backticks, as code. */
export function withCode(text: string): (HTMLElement | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}

let last = 0;

/** An ID that no other element of the page has, to connect a label with its field. */
export function newId(): string {
  last += 1;
  return `pg-${String(last)}`;
}
