/** Keys pressed at the same time, or one after the other. */
export type Way = { keys: readonly string[]; together?: true }

const one = (...keys: string[]): readonly Way[] => keys.map((key) => ({ keys: [key] }))
const go = (key: string): readonly Way[] => [{ keys: ['g', key] }]

/** The same as the app's own list of shortcuts (keys.test.ts), which a page outside the app can't load. */
export const shortcutRows: readonly { does: string; ways: readonly Way[] }[] = [
  {
    does: 'Search keywords, pages, metrics and screens',
    ways: [...one('/'), { keys: ['Ctrl', 'K'], together: true }, { keys: ['⌘', 'K'], together: true }],
  },
  { does: 'Dashboard', ways: go('d') },
  { does: 'SEO Insights', ways: go('i') },
  { does: 'Explore', ways: go('e') },
  { does: 'Keyword Opportunities', ways: go('k') },
  { does: 'Page Analytics', ways: go('p') },
  { does: 'Active Alerts', ways: go('a') },
  { does: 'Alert History', ways: go('h') },
  { does: 'Settings', ways: go('s') },
  { does: 'Next or previous alert in a list', ways: one('j', 'k') },
  { does: 'Open the focused item', ways: one('Enter') },
  { does: 'Acknowledge the focused alert', ways: one('e') },
  { does: 'Next or previous search result', ways: one('↓', '↑') },
  { does: 'Next or previous day on a chart', ways: one('→', '←') },
  { does: 'First or last day on a chart', ways: one('Home', 'End') },
  { does: 'Close a dialog or menu', ways: one('Esc') },
  { does: 'Show shortcuts in the app', ways: one('?') },
]
