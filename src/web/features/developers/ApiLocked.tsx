import { CodeXml } from 'lucide-react'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'

const holds = [
  'Properties, metrics, keywords, pages and opportunities as JSON or CSV',
  'Alerts: list, acknowledge and snooze them',
  'Rules and annotations written by your own programs',
  'An MCP server, for assistants that answer from your figures',
]

/** What people without it read. */
export function ApiLocked({ reason }: { reason: string }) {
  return <LockedFeature Icon={CodeXml} title="An API for your own programs" reason={reason} holds={holds} />
}
