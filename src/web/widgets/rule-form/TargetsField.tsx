import { useQueryClient } from '@tanstack/react-query'
import { targetsNoun } from '../../../core/alerting/rule.ts'
import { type ComponentProps, useState } from 'react'
import type { SearchType } from '../../../contract/common.ts'
import { keywordsQuery, pagesQuery } from '../../api/analytics.ts'
import { failureText } from '../../api/client.ts'
import { fewRowsQuery } from '../../api/explore.ts'
import { Button } from '../../ui/Button.tsx'
import { TextAreaField } from '../../ui/form/Field.tsx'
import { linesOf } from './rule-values.ts'
import { watchesNothing } from './copy.ts'

const words = {
  pages: { label: 'Pages, one per line', placeholder: 'https://example.com/a-page' },
  queries: { label: 'Keywords, one per line', placeholder: 'oak desk lamp' },
} as const

/** How many of those with the most clicks to propose, and over how many days. */
const proposed = 10
const days = 28

type TargetsFieldProps = Omit<ComponentProps<typeof TextAreaField>, 'label' | 'placeholder' | 'hint'> & {
  property: string
  of: keyof typeof words
  searchType: SearchType
  /** The input so far. */
  typed: string
  onPropose: (targets: string) => void
}

/** The pages or queries that a rule is about. While there are none, proposes those with the most clicks. */
export function TargetsField({ property, of, searchType, typed, onPropose, ...area }: TargetsFieldProps) {
  const nothing = watchesNothing(of, linesOf(typed))
  return (
    <div className="flex flex-col gap-2">
      <TextAreaField
        {...words[of]}
        rows={3}
        spellCheck={false}
        autoCapitalize="none"
        hint={!area.error && nothing !== null && <span className="font-medium text-warning">{nothing}</span>}
        {...area}
      />
      {nothing !== null && (
        <Proposal property={property} of={of} searchType={searchType} disabled={area.disabled ?? false} onPropose={onPropose} />
      )}
    </div>
  )
}

type ProposalProps = Pick<TargetsFieldProps, 'property' | 'of' | 'searchType' | 'onPropose'> & { disabled: boolean }

function Proposal({ property, of, searchType, disabled, onPropose }: ProposalProps) {
  const client = useQueryClient()
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({ busy: false, problem: null })
  async function topNames(): Promise<string[]> {
    const params = { range: `${days}d`, limit: proposed } as const
    if (searchType !== 'web') {
      const by = of === 'pages' ? 'page' : 'query'
      const explored = await client.fetchQuery(fewRowsQuery({ property, ...params, type: searchType, by, sort: 'clicks', order: 'desc' }))
      return (explored?.rows ?? []).filter(({ clicks }) => clicks > 0).map(({ name }) => name)
    }
    return of === 'pages'
      ? (await client.fetchQuery(pagesQuery(property, params))).map(({ page }) => page)
      : (await client.fetchQuery(keywordsQuery(property, params))).map(({ query }) => query)
  }
  async function propose(): Promise<void> {
    setState({ busy: true, problem: null })
    try {
      const names = await topNames()
      if (names.length > 0) return onPropose(names.join('\n'))
      setState({ busy: false, problem: `No ${targetsNoun(of)} had clicks in the last ${days} days.` })
    } catch (error) {
      setState({
        busy: false,
        problem: failureText(error, `The ${targetsNoun(of)} could not be loaded. Please try again.`),
      })
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Button disabled={disabled || state.busy} onClick={() => void propose()}>
        Add the top {proposed} by clicks
      </Button>
      {state.problem !== null && <p className="text-critical">{state.problem}</p>}
    </div>
  )
}
