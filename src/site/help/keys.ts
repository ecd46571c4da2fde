/** Keys pressed at the same time, or one after the other. */
export type Way = { keys: readonly string[]; together?: true }

const one = (...keys: string[]): readonly Way[] => keys.map((key) => ({ keys: [key] }))
const go = (key: string): readonly Way[] => [{ keys: ['g', key] }]

/** What the app's own list of shortcuts has (keys.test.ts), which a page without the app cannot ask for. */
export const shortcutRows: readonly { does: string; ways: readonly Way[] }[] = [
  {
    does: 'Search keywords, pages, metrics and screens',
    ways: [...one('/'), { keys: ['Ctrl', 'K'], together: true }, { keys: ['⌘', 'K'], together: true }],
  },
  { does: 'Dashboard', ways: go('d') },
  { does: 'SEO Insights', ways: go('i') },
  { does: 'Keyword Opportunities', ways: go('k') },
  { does: 'Page Analytics', ways: go('p') },
  { does: 'Active Alerts', ways: go('a') },
  { does: 'Alert History', ways: go('h') },
  { does: 'Settings', ways: go('s') },
  { does: 'Next or previous alert in a list', ways: one('j', 'k') },
  { does: 'Open what has the focus', ways: one('Enter') },
  { does: 'Acknowledge the alert that has the focus', ways: one('e') },
  { does: 'Next or previous search result', ways: one('↓', '↑') },
  { does: 'Next or previous day of a chart', ways: one('→', '←') },
  { does: 'First or last day of a chart', ways: one('Home', 'End') },
  { does: 'Close what is open', ways: one('Esc') },
  { does: 'This list, within the app', ways: one('?') },
]
