type Details = { reason: string; event: Event }

/**
 * Opens and closes what lies over the page, but does not close it by the Esc that is meant for a dialog above it: Base UI
 * gives that key to all that are open, and knows which lies above which only where one is rendered within the other.
 */
export const unlessAbove =
  (onOpenChange: (open: boolean) => void) =>
  (open: boolean, { reason, event }: Details): void => {
    if (reason === 'escape-key' && keepsKeys(event.target)) return
    onOpenChange(open)
  }

/** Dialogs that ask for something keep the keys to themselves, until they close; sheets and popovers show something, as screens do. */
export const keepsKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-keeps-keys]:not([data-closed])') !== null
