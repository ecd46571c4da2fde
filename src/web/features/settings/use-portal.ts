import { useMutation } from '@tanstack/react-query'
import { portalUrl } from '../../api/billing.ts'
import { failureText } from '../../api/client.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** Leaves for Stripe's own page, which leads back here. */
export function usePortal() {
  return useMutation({
    mutationFn: portalUrl,
    onSuccess: (url) => window.location.assign(url),
    onError: (error) => toast.error('Error', failureText(error, "Couldn't open the page for your card and invoices. Please try again.")),
  })
}
