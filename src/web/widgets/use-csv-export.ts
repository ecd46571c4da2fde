import { useMutation } from '@tanstack/react-query'
import { propertyName } from '../../core/accounts/property-name.ts'
import { failureText } from '../api/client.ts'
import { download } from '../api/download.ts'
import { saveFile } from '../lib/save-file.ts'
import { toast } from '../ui/overlay/toast.ts'

/** Downloads a property's file from the server; `what` is for the error message: `The alerts`. */
export function useCsvExport(property: string) {
  return useMutation({
    mutationFn: ({ address }: { address: string; what: string }) => download(address),
    onSuccess: ({ file, name }) => saveFile(file, name),
    onError: (error, { what }) =>
      toast.error('Export Failed', failureText(error, `${what} for ${propertyName(property)} could not be exported. Please try again.`)),
  })
}
