import { expect, it } from 'vitest'
import { serverAddress } from './vite-server-address.ts'
import viteConfig from './vite.config.ts'

it.each([
  [{}, 'http://127.0.0.1:7300'],
  [{ PORT: '8080' }, 'http://127.0.0.1:8080'],
  [{ HOST: 'school.test', PORT: '80' }, 'http://school.test:80'],
  [{ HOST: '0.0.0.0' }, 'http://127.0.0.1:7300'],
  [{ HOST: '::' }, 'http://[::1]:7300'],
  [{ HOST: '::1', PORT: '8080' }, 'http://[::1]:8080'],
])('with %j the server is at %s', (environment, address) => {
  expect(serverAddress(environment)).toBe(address)
})

it('is where Vite forwards the calls of the application', () => {
  expect(viteConfig.server?.proxy).toEqual({ '/api': serverAddress(process.env) })
})
