import { describe, expect, it } from 'vitest'
import { addressProblem, databaseServers } from './servers.ts'

describe('the servers of DATABASE_URL', () => {
  it('are read in order, each with the rest of the address', () => {
    const servers = databaseServers(
      'postgres://u:p%2C@one,[::1]:5433,three:6/jw?target_session_attrs=read-write&sslmode=require',
    )
    expect(servers.all).toEqual([
      { name: 'one:5432', url: 'postgres://u:p%2C@one/jw?sslmode=require' },
      { name: '[::1]:5433', url: 'postgres://u:p%2C@[::1]:5433/jw?sslmode=require' },
      { name: 'three:6', url: 'postgres://u:p%2C@three:6/jw?sslmode=require' },
    ])
    expect(servers.mustWrite).toBe(true)
  })

  it.each([
    ['postgres://one/jw', false],
    ['postgres://one,two/jw', true],
    ['postgres://one,two/jw?target_session_attrs=any', false],
    ['postgres://one/jw?target_session_attrs=primary', true],
  ])('of %s must take writes: %s', (url, mustWrite) => {
    expect(databaseServers(url).mustWrite).toBe(mustWrite)
  })

  it('may be a socket', () => {
    expect(databaseServers('postgres:///jw?host=/run/postgresql').all).toEqual([
      { name: '/run/postgresql', url: 'postgres:///jw?host=%2Frun%2Fpostgresql' },
    ])
  })

  it('are passed on to the next once, however many callers leave one', () => {
    const servers = databaseServers('postgres://one,two/jw')
    const first = servers.current()
    servers.leave(first)
    servers.leave(first)
    expect(servers.current().name).toBe('two:5432')
    servers.leave(servers.current())
    expect(servers.current()).toBe(first)
  })

  it.each([
    ['mysql://one/jw', 'must be a postgres:// address'],
    ['postgres://one,two:port/jw', 'separated by commas'],
    ['postgres://one/jw?target_session_attrs=standby', 'because the server writes'],
  ])('of %s are refused', (url, problem) => {
    expect(addressProblem(url)).toContain(problem)
    expect(() => databaseServers(url)).toThrow(problem)
  })
})
