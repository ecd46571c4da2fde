type Details = { reason: string; event: Event }

/**
 * Opens and closes an overlay, ignoring an Escape meant for a dialog above it: Base UI sends that key to all open ones, and only knows
 * their order if one is rendered within the other.
 */
export const unlessAbove =
  (onOpenChange: (open: boolean) => void) =>
  (open: boolean, { reason, event }: Details): void => {
    if (reason === 'escape-key' && keepsKeys(event.target)) return
    onOpenChange(open)
  }

/** Dialogs that ask for something capture the keys until they close; sheets and popovers show something, like screens do. */
export const keepsKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-keeps-keys]:not([data-closed])') !== null
