import { useMutation } from '@tanstack/react-query'
import { failureText } from '../api/client.ts'
import { download } from '../api/download.ts'
import { saveFile } from '../lib/save-file.ts'
import { toast } from '../ui/overlay/toast.ts'

/** Downloads a file of the server's; `what` is said when it fails: `The alerts of site.example`. */
export function useCsvExport() {
  return useMutation({
    mutationFn: ({ address }: { address: string; what: string }) => download(address),
    onSuccess: ({ file, name }) => saveFile(file, name),
    onError: (error, { what }) => toast.error('Export Failed', failureText(error, `${what} could not be exported. Please try again.`)),
  })
}
