import { ChevronsUpDown, FileUp, Plug } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Property } from '../../../contract/user.ts'
import { connectGoogle } from '../../lib/connect-google.ts'
import { propertyLabel } from '../../lib/property-label.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { MiddleCut } from '../../ui/MiddleCut.tsx'
import type { MenuEntry } from '../../ui/overlay/menu-entry.ts'
import { useProperties } from '../use-properties.ts'
import { useSelectProperty } from '../use-select-property.ts'

const ImportDialog = lazy(async () => ({ default: (await import('../import/ImportDialog.tsx')).ImportDialog }))

export function PropertySwitcher({ selected }: { selected: string }) {
  const properties = useProperties()
  const select = useSelectProperty()
  const [importing, setImporting] = useState(false)

  function choose(name: string) {
    if (name !== selected) select.mutate(name)
  }

  const group = (label: string, monitored: boolean): MenuEntry[] => {
    const choices = properties.filter((property) => property.monitored === monitored).map(choiceOf)
    return choices.length === 0 ? [] : [{ kind: 'choices', label, value: selected, choices, onChange: choose }]
  }
  const entries: MenuEntry[] = [
    ...group('Monitored', true),
    ...group('Others', false),
    {
      kind: 'action',
      label: 'Connect Search Console',
      icon: <Plug aria-hidden />,
      apart: properties.length > 0,
      onSelect: () => connectGoogle('/dashboard'),
    },
    { kind: 'action', label: 'Import a file…', icon: <FileUp aria-hidden />, onSelect: () => setImporting(true) },
  ]
  return (
    <>
      <Menu
        align="start"
        label={`Property: ${selected}`}
        triggerClass={buttonClass('quiet', 'min-w-0 max-w-[calc(100%-7.5rem)] px-2!')}
        trigger={
          <>
            <MiddleCut text={selected} />
            <ChevronsUpDown aria-hidden className="text-muted" />
          </>
        }
        entries={entries}
      />
      {importing && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  )
}

const choiceOf = (property: Property) => ({ value: property.name, label: propertyLabel(property) })
