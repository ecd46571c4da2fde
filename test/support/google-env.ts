import type { GoogleStandIn } from '../../emulators/google/server.ts'

/** Makes a separate server process use a Google stand-in. @param statusUrl where ranking incidents are; not requested by default */
export const googleEnv = (google: GoogleStandIn, statusUrl = 'off'): Record<string, string> => ({
  GOOGLE_CLIENT_ID: google.clientId,
  GOOGLE_CLIENT_SECRET: google.clientSecret,
  GOOGLE_API_URL: google.apiUrl,
  GOOGLE_STATUS_URL: statusUrl,
  GOOGLE_OAUTH_URL: google.oauthUrl,
  GOOGLE_TOKEN_URL: google.tokenUrl,
})
