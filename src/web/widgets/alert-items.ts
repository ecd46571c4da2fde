/** The alerts shown by a list: the elements it marks with `data-alert`, in order. */
export const itemsIn = (list: HTMLElement | null): HTMLElement[] => [...(list?.querySelectorAll<HTMLElement>('[data-alert]') ?? [])]

/** Focuses an alert's link, which Enter then opens. */
export function focusItem(item: HTMLElement | undefined): void {
  item?.querySelector<HTMLElement>('[data-alert-link]')?.focus()
}
