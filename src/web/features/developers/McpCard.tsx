import { SectionCard } from '../../ui/Card.tsx'
import { CodeBlock } from './CodeBlock.tsx'

/** How an assistant is connected. */
export function McpCard() {
  const url = `${window.location.origin}/mcp`
  const settings = { mcpServers: { ranklark: { type: 'http', url, headers: { Authorization: 'Bearer rk_your_key' } } } }
  return (
    <SectionCard
      title="Assistants (MCP)"
      description="Assistants that speak the Model Context Protocol can ask about your sites in plain words, with the same keys."
    >
      <dl className="mb-4 flex flex-wrap gap-x-3">
        <dt className="font-medium">Address</dt>
        <dd className="min-w-0 font-mono text-sm leading-6 wrap-anywhere">{url}</dd>
      </dl>
      <CodeBlock label="Settings of an MCP client" text={JSON.stringify(settings, null, 2)} copy="Copy settings" />
    </SectionCard>
  )
}
