import { changeText, foundBy, nouns } from '../../../core/alerting/copy.ts'
import type { MessageItem } from '../message.ts'
import { counted } from '../../../core/words.ts'
import { cut, visible } from './names.ts'

/** Maximum length of a rule's title in characters. */
const mostTitle = 60

/** Other findings with the same cause, in one line: `Also: impressions −48.0%, CTR −12.1%, 4 keywords`; null without any. */
export function otherFindings({ entity, findings = [], moreFindings = 0 }: MessageItem): string | null {
  const isOwn = (found: (typeof findings)[number]) => found.entity.kind === entity.kind && found.entity.name === entity.name
  const own = findings.filter(isOwn).map(({ type, change, previousValue }) => {
    const noun = type === 'ctr' ? nouns.ctr : nouns[type].toLowerCase()
    if (change === null) return previousValue === 0 ? `${noun} from 0` : noun
    return `${noun} ${changeText(type, change)}`
  })
  const namesOf = (kind: 'page' | 'query') =>
    new Set(findings.filter((found) => found.entity.kind === kind && !isOwn(found)).map((found) => found.entity.name)).size
  const [pages, keywords] = [namesOf('page'), namesOf('query')]
  const parts = [
    ...own,
    ...(pages > 0 ? [counted(pages, 'page')] : []),
    ...(keywords > 0 ? [counted(keywords, 'keyword')] : []),
    ...(moreFindings > 0 ? [counted(moreFindings, 'more', 'more')] : []),
  ]
  return parts.length === 0 ? null : `Also: ${parts.join(', ')}`
}

/** Which rules found it, in the words of the report; null if it is just one. */
export const foundByRules = ({ rules = [] }: Pick<MessageItem, 'rules'>, most = mostTitle): string | null =>
  rules.length < 2 ? null : foundBy(rules.map((title) => cut(visible(title), most)))
