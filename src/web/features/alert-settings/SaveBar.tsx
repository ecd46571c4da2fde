import { clsx } from 'clsx'
import { Button } from '../../ui/Button.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'

type SaveBarProps = {
  /** The id of the form its button submits. */
  form: string
  isSaving: boolean
  problems: readonly string[]
  /** Unsaved items; for other properties with their name. */
  unsaved: readonly string[]
  elsewhere: readonly string[]
}

/** Saves everything on the screen. Stays visible while there is something to save. */
export function SaveBar({ form, isSaving, problems, unsaved, elsewhere }: SaveBarProps) {
  return (
    <div
      className={clsx(
        '-mx-4 flex flex-col items-start gap-3 px-4 sm:-mx-6 sm:px-6',
        unsaved.length > 0 && 'sticky bottom-0 z-10 border-t border-line bg-page py-3',
      )}
    >
      {problems.length > 0 && (
        <FormProblem>
          {problems.map((problem) => (
            <span key={problem} className="block wrap-anywhere">
              {problem}
            </span>
          ))}
        </FormProblem>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" form={form} variant="primary" disabled={isSaving}>
          {isSaving ? 'Saving...' : 'Save Settings'}
        </Button>
        {unsaved.length > 0 && <p className="min-w-0 wrap-anywhere text-muted">Unsaved changes: {unsaved.join(', ')}</p>}
      </div>
      {elsewhere.length > 0 && (
        <p className="text-sm wrap-anywhere text-muted">Also unsaved, and lost if you leave this page: {elsewhere.join(', ')}</p>
      )}
    </div>
  )
}
