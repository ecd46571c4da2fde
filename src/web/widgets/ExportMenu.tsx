import { Download } from 'lucide-react'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Menu } from '../ui/overlay/Menu.tsx'
import { useCsvExport } from './use-csv-export.ts'

/** A file: its menu label, its URL, and its content for error messages. */
export type ExportFile = { label: string; address: string; what: string }

type ExportMenuProps = { property: string; files: readonly [ExportFile, ...ExportFile[]]; disabled?: boolean }

/** Exports everything that passes the filters, not just the rows on screen (OPEN-POINTS 10); a menu if there are several files. */
export function ExportMenu({ property, files, disabled = false }: ExportMenuProps) {
  const { mutate, isPending } = useCsvExport(property)
  const text = isPending ? 'Exporting...' : 'Export'
  const [only] = files
  if (files.length === 1 || isPending || disabled) {
    return (
      <Button disabled={isPending || disabled} onClick={() => mutate(only)}>
        <Download aria-hidden />
        {text}
      </Button>
    )
  }
  return (
    <Menu
      label="Export"
      triggerClass={buttonClass()}
      trigger={
        <>
          <Download aria-hidden />
          {text}
        </>
      }
      entries={files.map((file) => ({
        kind: 'action' as const,
        label: file.label,
        icon: <Download aria-hidden />,
        onSelect: () => mutate(file),
      }))}
    />
  )
}
