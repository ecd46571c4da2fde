import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type ReportBrand, type ReportBrandChange, reportBrandChange } from '../../../../contract/publishing.ts'
import { ApiFailure, failureText } from '../../../api/client.ts'
import { saveBrand } from '../../../api/publishing.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { FormProblem } from '../../../ui/form/FormProblem.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { changeOf, type TypedBrand } from './brand-values.ts'
import { ColourField } from './ColourField.tsx'

type BrandFormProps = { typed: TypedBrand; onType: (typed: TypedBrand) => void; onSaved: (saved: ReportBrand) => void }
type Problems = Partial<Record<string, string>>

/** Name, colour and sender; what is typed shows in the preview at once. */
export function BrandForm({ typed, onType, onSaved }: BrandFormProps) {
  const [problems, setProblems] = useState<Problems>({})
  const saving = useMutation({
    mutationFn: (brand: ReportBrandChange) => saveBrand(brand),
    onSuccess: (saved) => {
      onSaved(saved)
      toast.success('Brand Saved', 'Your reports now use this brand.')
    },
    onError: (error) => {
      if (error instanceof ApiFailure && error.problem?.field !== undefined) setProblems({ [error.problem.field]: error.problem.message })
    },
  })

  function change(name: keyof TypedBrand, value: string): void {
    onType({ ...typed, [name]: value })
    setProblems((before) => ({ ...before, [name]: undefined }))
  }

  function save(): void {
    const parsed = reportBrandChange.safeParse(changeOf(typed))
    if (parsed.success) return saving.mutate(parsed.data)
    setProblems(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message])))
  }

  const field = (name: keyof TypedBrand) => ({
    value: typed[name],
    error: problems[name],
    onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
  })
  const isElsewhere = saving.error !== null && Object.values(problems).every((problem) => problem === undefined)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Field label="Name" autoComplete="organization" placeholder="Your agency" {...field('name')} />
      <ColourField value={typed.colour} error={problems['colour']} onChange={(colour) => change('colour', colour)} />
      <Field
        label="Sender name"
        autoComplete="off"
        placeholder="Your agency, reports"
        hint="Report emails come from this name. Their address stays this installation's, so they get delivered."
        {...field('senderName')}
      />
      <Field
        label="Reply-to address"
        type="email"
        autoComplete="email"
        placeholder="you@your-agency.example"
        hint="Optional. Replies to report emails go here."
        {...field('replyTo')}
      />
      {isElsewhere && <FormProblem>{failureText(saving.error, "Couldn't save the brand. Please try again.")}</FormProblem>}
      <Button type="submit" variant="primary" className="self-start" disabled={saving.isPending}>
        {saving.isPending ? 'Saving...' : 'Save brand'}
      </Button>
    </form>
  )
}
