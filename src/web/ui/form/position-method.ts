/** How a list opens in its container. Fixed in a dialog, which would scroll to it; on the page it stays with what it belongs to. */
export const positionMethodIn = (container: Element | null): 'absolute' | 'fixed' =>
  container?.closest('[role="dialog"]') ? 'fixed' : 'absolute'
