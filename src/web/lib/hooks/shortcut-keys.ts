/** Keys on every screen for signed-in people; the palette's is pressed with Ctrl, or ⌘ on a Mac. */
export const shellKeys = { palette: 'k', search: '/', help: '?' } as const

/** Keys in lists of alerts; the last one also in an alert's report. */
export const listKeys = { next: 'j', previous: 'k', acknowledge: 'e' } as const

/** The name of the key that turns another into a command. */
export const commandKey = (): 'Ctrl' | '⌘' => (/mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl')
