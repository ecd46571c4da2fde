import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { PropertyRequired } from '../../shell/PropertyRequired.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { SaveBar } from './SaveBar.tsx'
import { type Delivery, deliveryTitle, settingsClass } from './SettingsForm.tsx'

/** Rules need a property; delivery can be set up before there is one. */
export function DeliveryAlone({ delivery, elsewhere }: { delivery: Delivery; elsewhere: readonly string[] }) {
  const formId = useId()
  const saving = useMutation({
    mutationFn: () => delivery.save(),
    onSuccess: (isSaved) => {
      if (isSaved) toast.success('Settings Saved', deliveryTitle)
    },
  })
  return (
    <div className={settingsClass}>
      <PropertyRequired>Each rule monitors one property. Select a property to set up its rules.</PropertyRequired>
      {delivery.section}
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate()
        }}
      >
        <SaveBar
          form={formId}
          isSaving={saving.isPending}
          problems={[]}
          unsaved={delivery.isDirty ? [deliveryTitle] : []}
          elsewhere={elsewhere}
        />
      </form>
    </div>
  )
}
