import { CodeXml } from 'lucide-react'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'

const holds = [
  'Properties, metrics, keywords, pages and opportunities as JSON or CSV',
  'Alerts: list, acknowledge and snooze them',
  'Rules and notes, created and edited by your own apps',
  'An MCP server for AI assistants that answer from your data',
]

/** What people without it read. */
export function ApiLocked({ reason }: { reason: string }) {
  return <LockedFeature Icon={CodeXml} title="An API for your own apps" reason={reason} holds={holds} />
}
