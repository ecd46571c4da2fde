import { ArrowUpRight } from 'lucide-react'
import { apiBase } from '../../../contract/api-v1/common.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { CodeBlock } from './CodeBlock.tsx'

/** A first request to this very installation. */
export function ExampleCard() {
  const example = `curl "${window.location.origin}${apiBase}/alerts?state=open" \\\n  --header "Authorization: Bearer rk_your_key"`
  return (
    <SectionCard title="Try it" description="Lists your open alerts. Replace rk_your_key with your key.">
      <CodeBlock label="curl request" text={example} copy="Copy command" />
      <a href="/api/docs" className="mt-3 inline-flex min-h-10 items-center gap-1 font-medium text-brand hover:underline">
        API reference
        <ArrowUpRight aria-hidden className="size-4" />
      </a>
    </SectionCard>
  )
}
