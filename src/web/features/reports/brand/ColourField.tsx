import { Field } from '../../../ui/form/Field.tsx'
import { isColour } from './brand-values.ts'

type ColourFieldProps = { value: string; error: string | undefined; onChange: (colour: string) => void }

/** A colour, by its number or by the browser's own picker. */
export function ColourField({ value, error, onChange }: ColourFieldProps) {
  return (
    <div className="flex items-start gap-2">
      <input
        type="color"
        aria-label="Pick a color"
        title="Pick a color"
        value={isColour(value) ? value : '#000000'}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="control mt-6.5 w-12 shrink-0 cursor-pointer rounded-control border border-line-control bg-surface p-1"
      />
      <div className="min-w-0 flex-1">
        <Field
          label="Color"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="#1a73e8"
          hint="Used for headings, lines and buttons. Text on it is black or white, whichever is readable."
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
    </div>
  )
}
