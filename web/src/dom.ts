// Elements from data. Texts become text nodes, never markup: names and labels come from captures.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

const put = (element: Element, attributes: Attributes, children: (Child | Child[])[]) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
};

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  put(element, attributes, children);
  return element;
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Child | Child[])[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  put(element, attributes, children);
  return element;
}

const whole = new Intl.NumberFormat("en-US");
export const number = (value: number): string => whole.format(value);
export const percent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)} %`;
export const fixed = (value: number, digits: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
// Three digits at least: "0.0120 ms", "12.3 ms".
export const milliseconds = (value: number): string => `${value >= 100 ? number(Math.round(value)) : value >= 1e-6 ? value.toPrecision(3) : 0} ms`;
// Four digits at least; a KB has 1024 bytes, as in what the command prints.
export function bytes(value: number): string {
  const four = (part: number) => part.toLocaleString("en-US", { maximumSignificantDigits: Math.max(4, String(Math.round(part)).length) });
  if (value < 10_000) return `${number(value)} B`;
  if (value < 10_000 * 1024) return `${four(value / 1024)} KB`;
  return `${four(value / 1024 / 1024)} MB`;
}
export function brief(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${+(value / 1e9).toFixed(2)} G`;
  if (size >= 1e6) return `${+(value / 1e6).toFixed(2)} M`;
  if (size >= 1e3) return `${+(value / 1e3).toFixed(1)} k`;
  return `${+value.toFixed(2)}`;
}
