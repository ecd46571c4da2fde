import { saveColorBy, useColorBy } from '../../lib/color-by.ts'
import { saveTheme, themeNames, themes, useTheme } from '../../shell/theme.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Switch } from '../../ui/form/Switch.tsx'

const choices = themes.map((value) => ({ value, label: themeNames[value] }))

/** How the screens look in this browser. */
export function DisplayCard() {
  const theme = useTheme()
  const colorBy = useColorBy()
  return (
    <SectionCard title="Display" description="How Ranklark looks in this browser.">
      <div className="flex max-w-2xl flex-col gap-5">
        <div className="max-w-md">
          <Select label="Theme" placeholder="Choose a theme" value={theme} choices={choices} onChange={saveTheme} />
        </div>
        <div className="border-t border-line pt-5">
          <Switch
            label="Colors as specified"
            hint="Off: green is better, red is worse. On: a rise in clicks is red and a drop is green. Reports, shared links and PDFs always show improvements in green."
            checked={colorBy === 'figure'}
            onChange={(on) => saveColorBy(on ? 'figure' : 'outcome')}
          />
        </div>
      </div>
    </SectionCard>
  )
}
