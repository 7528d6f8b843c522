import type { Api } from '../session/api.ts'
import { halfBlocks } from './half-blocks.ts'

/** The captcha of a sign-in as lines of half blocks. */
export async function captchaPicture(
  api: Api,
  key: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { stream } = await api.session.captcha({ query: { key }, signal })
  return halfBlocks(new Uint8Array(await new Response(stream).arrayBuffer()))
}
