/** The alerts that a list shows: what it marks `data-alert`, in their order. */
export const itemsIn = (list: HTMLElement | null): HTMLElement[] => [...(list?.querySelectorAll<HTMLElement>('[data-alert]') ?? [])]

/** Onto the link of an alert, which Enter then opens. */
export function focusItem(item: HTMLElement | undefined): void {
  item?.querySelector<HTMLElement>('[data-alert-link]')?.focus()
}
