/** How a list is positioned in its container. Fixed in a dialog, which would scroll to it; on the page it moves with its control. */
export const positionMethodIn = (container: Element | null): 'absolute' | 'fixed' =>
  container?.closest('[role="dialog"]') ? 'fixed' : 'absolute'
