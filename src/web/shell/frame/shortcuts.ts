import { commandKey, listKeys, shellKeys } from '../../lib/hooks/shortcut-keys.ts'
import { nav } from './nav.ts'

/** Keys pressed together or in sequence. */
export type Keys = { keys: readonly string[]; together?: boolean }
/** `ways`: alternatives. */
export type Shortcut = { does: string; ways: readonly Keys[] }
export type ShortcutGroup = { title: string; shortcuts: readonly Shortcut[] }

const one = (key: string): Keys => ({ keys: [key] })

/** Every keyboard shortcut of the app. */
export function shortcutGroups(): readonly ShortcutGroup[] {
  return [
    {
      title: 'Everywhere',
      shortcuts: [
        { does: 'Search', ways: [{ keys: [commandKey(), shellKeys.palette.toUpperCase()], together: true }, one(shellKeys.search)] },
        { does: 'Keyboard shortcuts', ways: [one(shellKeys.help)] },
        { does: 'Close a dialog or menu', ways: [one('Esc')] },
      ],
    },
    {
      title: 'Go to',
      shortcuts: nav.flatMap(({ items }) => items.flatMap(({ label, keys }) => (keys ? [{ does: label, ways: [{ keys }] }] : []))),
    },
    {
      title: 'Alerts',
      shortcuts: [
        { does: 'Next alert', ways: [one(listKeys.next)] },
        { does: 'Previous alert', ways: [one(listKeys.previous)] },
        { does: 'Open the alert', ways: [one('Enter')] },
        { does: 'Acknowledge the alert', ways: [one(listKeys.acknowledge)] },
      ],
    },
    {
      title: 'Sites',
      shortcuts: [
        { does: 'Next site', ways: [one(listKeys.next)] },
        { does: 'Previous site', ways: [one(listKeys.previous)] },
        { does: 'Open the site', ways: [one('Enter')] },
      ],
    },
    {
      title: 'Search results',
      shortcuts: [
        { does: 'Next or previous result', ways: [one('↓'), one('↑')] },
        { does: 'Open the result', ways: [one('Enter')] },
      ],
    },
    {
      title: 'Charts',
      shortcuts: [
        { does: 'Next or previous day', ways: [one('→'), one('←')] },
        { does: 'First or last day', ways: [one('Home'), one('End')] },
      ],
    },
  ]
}
