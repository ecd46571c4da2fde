import { at } from './analytics.ts'

/** Queries that a malicious user might type, or in other scripts. */
export const oddQueries = {
  markup: '<img src=x onerror=alert(1)> & "lamp"',
  formula: '=HYPERLINK("https://evil.example","click")',
  emoji: 'lamp 💡👩‍👩‍👧 cosy',
  rightToLeft: 'מנורת קריאה <b>עץ</b>',
  long: `lamp ${'very '.repeat(79)}`.slice(0, 400),
} as const

/** Pages that Google might list because of such a user. */
export const oddPages = {
  markup: at(`<img src=x onerror=alert(1)>&"'?q=<b>`),
  script: 'javascript:alert(document.domain)',
  long: at(`long/${'very-'.repeat(300)}long`),
  emoji: at('💡👩‍👩‍👧'),
  rightToLeft: at('מנורה/עץ'),
} as const
