import { Plus, X } from 'lucide-react'
import { useRef, useState, type FormEvent, type RefObject } from 'react'
import type { BrandList } from '../../../contract/brand.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, iconButtonClass } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { type BrandChange, termToAdd } from './brand-change.ts'
import { useBrandList } from './use-brand-list.ts'
import { useChipFocus } from './use-chip-focus.ts'

/** The words that make a keyword one of the brand, to add to and take from. */
export function BrandTerms({ property }: { property: string }) {
  const { list, change } = useBrandList(property)
  return (
    <SectionCard
      title="Brand terms"
      description="A keyword counts as brand if it contains one of these terms. Case, spaces and hyphens are ignored."
      badge={list.data?.suggested && list.data.terms.length > 0 ? <Badge tone="brand">Suggested</Badge> : null}
    >
      {list.error !== null ? (
        <LoadProblem what="brand terms" property={property} error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Skeleton className="h-35" />
      ) : (
        <Terms list={list.data} onChange={change} />
      )}
    </SectionCard>
  )
}

function Terms({ list: { terms, suggested }, onChange }: { list: BrandList; onChange: (change: BrandChange) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const chips = useRef<HTMLUListElement>(null)
  const focus = useChipFocus(chips, input)
  return (
    <>
      {terms.length === 0 ? (
        <p className="flex min-h-10 items-center text-muted">No brand terms yet. Every keyword counts as non-brand.</p>
      ) : (
        <ul ref={chips} aria-label="Brand terms" className="flex flex-wrap gap-2" {...focus}>
          {terms.map((term) => (
            <Chip key={term} term={term} suggested={suggested} onRemove={() => onChange({ kind: 'remove', term })} />
          ))}
        </ul>
      )}
      {suggested && terms.length > 0 && (
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="text-muted">Suggested from the property name and already in use. Keep or edit them.</p>
          <Button
            onClick={() => {
              input.current?.focus()
              onChange({ kind: 'keep' })
            }}
          >
            Keep these terms
          </Button>
        </div>
      )}
      <AddTerm ref={input} terms={terms} onAdd={(term) => onChange({ kind: 'add', term })} />
    </>
  )
}

type ChipProps = { term: string; suggested: boolean; onRemove: () => void }

function Chip({ term, suggested, onRemove }: ChipProps) {
  const look = suggested ? 'border-dashed border-line-control' : 'border-line bg-sunken'
  return (
    <li className={`inline-flex max-w-full items-center rounded-full border pl-3.5 ${look}`}>
      <bdi className="min-w-0 wrap-anywhere">{term}</bdi>
      {suggested && <span className="sr-only">, suggested</span>}
      <button
        type="button"
        aria-label={`Remove ${term}`}
        title={`Remove ${term}`}
        className={iconButtonClass('rounded-full! text-muted!')}
        onClick={onRemove}
      >
        <X aria-hidden />
      </button>
    </li>
  )
}

type AddTermProps = { ref: RefObject<HTMLInputElement | null>; terms: readonly string[]; onAdd: (term: string) => void }

function AddTerm({ ref, terms, onAdd }: AddTermProps) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    ref.current?.focus()
    const checked = termToAdd(typed, terms)
    if ('problem' in checked) return setProblem(checked.problem)
    setTyped('')
    onAdd(checked.term)
  }

  return (
    <form noValidate aria-label="Add a brand term" className="mt-5 flex max-w-md items-start gap-2" onSubmit={submit}>
      <div className="min-w-0 flex-1">
        <Field
          ref={ref}
          label="Add a term"
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="Your brand, as people type it"
          value={typed}
          error={problem}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
      </div>
      {/* Beside the field, below its label. */}
      <Button type="submit" className="mt-6.5">
        <Plus aria-hidden />
        Add
      </Button>
    </form>
  )
}
