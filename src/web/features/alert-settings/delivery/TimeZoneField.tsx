import { useMemo } from 'react'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Combobox } from '../../../ui/form/Combobox.tsx'
import { localTimeZone } from '../../../widgets/delivery/delivery-settings.ts'
import { clockIn, timeZoneChoices } from './times.ts'

type TimeZoneFieldProps = { timeZone: string; error: string | undefined; onChange: (timeZone: string) => void }

export function TimeZoneField({ timeZone, error, onChange }: TimeZoneFieldProps) {
  const now = useNow()
  const choices = useMemo(() => timeZoneChoices(Intl.supportedValuesOf('timeZone'), localTimeZone(), timeZone), [timeZone])
  return (
    <Combobox
      label="Time zone"
      hint={`It's ${clockIn(timeZone, now)} there now.`}
      error={error}
      value={timeZone}
      choices={choices}
      search="Search for a city or region"
      empty="No matching time zones."
      onChange={onChange}
    />
  )
}
