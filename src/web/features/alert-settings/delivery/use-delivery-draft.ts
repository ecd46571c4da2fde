import { useCurrentUser } from '../../../shell/current-user.ts'
import { useDestinations } from './use-destinations.ts'
import { useEmailAddress } from './use-email-address.ts'
import { useSettingsDraft } from './use-settings-draft.ts'
import { useSlack } from './use-slack.ts'
import { useSms } from './use-sms.ts'
import { useWebhook } from './webhook/use-webhook.ts'

/** The delivery area: the input of `DeliverySection`, whether it has unsaved changes, and how to save it. */
export function useDeliveryDraft() {
  const { plan } = useCurrentUser()
  const draft = useSettingsDraft()
  const destinations = useDestinations()
  const email = useEmailAddress(destinations)
  const slack = useSlack(destinations, draft.switchOf('slackEnabled'))
  const sms = useSms(destinations, draft.switchOf('smsEnabled'))
  const webhook = useWebhook(destinations, draft.switchOf('webhookEnabled'))
  const { channels, typed } = destinations

  /** Saves the input like the cards' own buttons do; returns whether all of it is valid. */
  async function saveTyped(): Promise<boolean> {
    if (typed.address && !(await email.save())) return false
    if ((typed.webhookUrl || typed.channel) && !(await slack.save())) return false
    if (typed.code && !(await sms.confirm())) return false
    if (typed.url && !(await webhook.save())) return false
    if (!typed.number) return true
    // A number gets no messages before its code is entered: sending the code isn't saving yet.
    await sms.sendCode()
    return false
  }

  /** A channel that was switched on needs a destination. */
  function showMissing(): boolean {
    const { settings, saved } = draft
    const turnedOn = (name: 'slackEnabled' | 'smsEnabled' | 'webhookEnabled') => settings[name] && !saved[name]
    if (turnedOn('slackEnabled') && channels?.slack.to === null && !typed.webhookUrl) slack.showMissing()
    else if (turnedOn('smsEnabled') && channels?.sms.to === null && !typed.code && !typed.number) sms.showMissing()
    else if (turnedOn('webhookEnabled') && channels?.webhook.to === null && !typed.url) webhook.showMissing()
    else return false
    return true
  }

  return {
    plan,
    draft,
    destinations,
    email,
    slack,
    sms,
    webhook,
    isDirty: draft.isDirty || Object.keys(typed).length > 0,
    /** Returns whether everything is saved; if not, the problem has been shown, at its field if there is one. */
    async save(): Promise<boolean> {
      return !showMissing() && (await saveTyped()) && draft.save()
    },
  }
}
export type DeliveryDraft = ReturnType<typeof useDeliveryDraft>
