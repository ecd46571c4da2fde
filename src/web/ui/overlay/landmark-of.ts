/** The landmark around an element: what floats beside the element belongs there, not loose at the end of the page. */
export function landmarkOf(element: Element): HTMLElement {
  return element.closest<HTMLElement>('header, main') ?? document.body
}
