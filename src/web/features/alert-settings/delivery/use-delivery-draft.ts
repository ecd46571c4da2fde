import { useCurrentUser } from '../../../shell/current-user.ts'
import { useDestinations } from './use-destinations.ts'
import { useEmailAddress } from './use-email-address.ts'
import { useSettingsDraft } from './use-settings-draft.ts'
import { useSlack } from './use-slack.ts'
import { useSms } from './use-sms.ts'
import { useWebhook } from './webhook/use-webhook.ts'

/** The delivery area: what `DeliverySection` shows, whether something in it is not saved yet, and how it is saved. */
export function useDeliveryDraft() {
  const { plan } = useCurrentUser()
  const draft = useSettingsDraft()
  const destinations = useDestinations()
  const email = useEmailAddress(destinations)
  const slack = useSlack(destinations, draft.switchOf('slackEnabled'))
  const sms = useSms(destinations, draft.switchOf('smsEnabled'))
  const webhook = useWebhook(destinations, draft.switchOf('webhookEnabled'))
  const { channels, typed } = destinations

  /** Saves what was typed as the cards' own buttons would; answers whether all of it will do. */
  async function saveTyped(): Promise<boolean> {
    if (typed.address && !(await email.save())) return false
    if ((typed.webhookUrl || typed.channel) && !(await slack.save())) return false
    if (typed.code && !(await sms.confirm())) return false
    if (typed.url && !(await webhook.save())) return false
    if (!typed.number) return true
    // Nothing goes to a number before its code was given back: sending it is not yet saving.
    await sms.sendCode()
    return false
  }

  /** A channel that was switched on needs somewhere to send to. */
  function tellMissing(): boolean {
    const { settings, saved } = draft
    const turnedOn = (name: 'slackEnabled' | 'smsEnabled' | 'webhookEnabled') => settings[name] && !saved[name]
    if (turnedOn('slackEnabled') && channels?.slack.to === null && !typed.webhookUrl) slack.tellMissing()
    else if (turnedOn('smsEnabled') && channels?.sms.to === null && !typed.code && !typed.number) sms.tellMissing()
    else if (turnedOn('webhookEnabled') && channels?.webhook.to === null && !typed.url) webhook.tellMissing()
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
    /** Answers whether everything is saved; when not, it was said what is wrong, at the field where there is one. */
    async save(): Promise<boolean> {
      return !tellMissing() && (await saveTyped()) && draft.save()
    },
  }
}
export type DeliveryDraft = ReturnType<typeof useDeliveryDraft>
