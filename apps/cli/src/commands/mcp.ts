// Tools for an agent over stdin and stdout, on the session or token of the profile (docs/agents.md).
import { createAgentServer } from '@jiaowu/api/agent/server'
import { tokenPrefix } from '@jiaowu/api/contract/token'
import { t } from '@jiaowu/api/texts/index'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import packageJson from '../../package.json' with { type: 'json' }
import type { CommandLine } from '../command-line.ts'
import { connect } from '../session/connect.ts'

/** `mcp`: serves until the client closes stdin or the command is interrupted. */
export async function serveAgent(line: CommandLine): Promise<void> {
  const { api } = connect(line)
  // An agent that can also run commands could confirm by this session. Standard output belongs to MCP.
  if (line.env.JIAOWU_TOKEN?.startsWith(tokenPrefix) !== true)
    line.output.talk(t(line.locale, 'cli.mcp.ownSession'))
  const known = await api.agent.entities({ signal: line.signal })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  process.stdin.once('end', resolve)
  process.stdin.once('close', resolve)
  line.signal.addEventListener('abort', () => resolve(), { once: true })
  const server = serveStdio(() => createAgentServer(api, known, packageJson.version))
  await ended
  await server.close()
}
