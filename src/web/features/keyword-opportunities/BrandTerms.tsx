import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import type { BrandList } from '../../../contract/brand.ts'
import { brandListQuery, reloadAfterBrandChange, saveBrandList } from '../../api/brand.ts'
import { failureText } from '../../api/client.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { Chips } from '../../ui/Chips.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { afterChange, type BrandChange, termToAdd, withoutChange } from './brand.ts'

/** The words that make a keyword branded, with adding and removing. */
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
  return (
    <>
      <Chips
        label="Brand terms"
        chips={terms}
        suggested={suggested}
        input={input}
        empty={<p className="flex min-h-10 items-center text-muted">No brand terms yet. Every keyword counts as non-brand.</p>}
        onRemove={(term) => onChange({ kind: 'remove', term })}
      />
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
          placeholder="As people type it"
          value={typed}
          error={problem}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
      </div>
      {/* Next to the field, below its label. */}
      <Button type="submit" className="mt-6.5">
        <Plus aria-hidden />
        Add
      </Button>
    </form>
  )
}

const mutationKey = ['brand-list']
const none: BrandList = { terms: [], suggested: false }

/** A change and its property: another one may be on screen by the time it is saved. */
type Asked = { property: string; change: BrandChange }

/**
 * A property's brand list, and changing it: changes show at once, and revert if the server refuses. They are saved one after another, each
 * with the list as it is by then.
 */
function useBrandList(property: string) {
  const client = useQueryClient()
  const list = useQuery(brandListQuery(property))
  const shown = (of: string): BrandList => client.getQueryData(brandListQuery(of).queryKey) ?? none
  const show = (of: string, next: BrandList) => client.setQueryData(brandListQuery(of).queryKey, next)
  const isLast = () => client.isMutating({ mutationKey }) === 1

  const { mutate } = useMutation({
    mutationKey,
    scope: { id: 'brand-list' },
    mutationFn: (asked: Asked) => saveBrandList(asked.property, shown(asked.property).terms),
    async onMutate(asked) {
      await client.cancelQueries(brandListQuery(asked.property))
      const before = shown(asked.property)
      show(asked.property, afterChange(before, asked.change))
      return before
    },
    onSuccess(saved, asked) {
      toast.success('Brand Terms Saved')
      // The answer doesn't include a later change yet.
      if (isLast()) show(asked.property, saved)
    },
    async onError(error, asked, before) {
      toast.error('Brand Terms Not Saved', failureText(error, 'The brand terms could not be saved. Please try again.'))
      if (before) show(asked.property, withoutChange(shown(asked.property), asked.change, before))
    },
    async onSettled() {
      // Any filter or segment may be by brand, on any screen.
      if (isLast()) await reloadAfterBrandChange(client)
    },
  })

  return { list, change: (change: BrandChange) => mutate({ property, change }) }
}
