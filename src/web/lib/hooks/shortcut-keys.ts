/** Keys that work on every screen for signed-in people; the palette's one is pressed with Ctrl, or with ⌘ on a Mac. */
export const shellKeys = { palette: 'k', search: '/', help: '?' } as const

/** Keys that work where alerts are listed; the last one also in an alert's report. */
export const listKeys = { next: 'j', previous: 'k', acknowledge: 'e' } as const

/** How the key is called that makes a command of another one. */
export const commandKey = (): 'Ctrl' | '⌘' => (/mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl')
