import type pg from 'pg'
import { seeded } from '../../apps/server/testing/random.ts'

export interface School {
  readonly id: number
  readonly students: number
}

const schoolCount = 500
const seed = 20_261_122
/** Students of the country; `scale` makes it fit a machine. */
const studentsOfCountry = 40_000_000

/** Sizes fall with the rank (Zipf, exponent 0.7) with some noise: the largest school has about 5 % of all students. */
export function drawSchools(scale: number): School[] {
  const random = seeded(seed)
  const weights = Array.from(
    { length: schoolCount },
    (_, rank) => (rank + 1) ** -0.7 * (0.8 + 0.4 * random()),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight, index) => ({
    id: 30_000 + index,
    students: Math.round((studentsOfCountry / scale) * (weight / total)),
  }))
}

/** Names, numbers and dates are computed from the number, so that every run has the same rows. */
export async function fillSchool(client: pg.ClientBase, { id, students }: School): Promise<void> {
  await client.query(
    `insert into biz.student (id, tenant_id, student_no, name, gender, birth_date, nation, enrol_year,
      status, mobile, email, dormitory, address, create_time, update_time)
    select ($1::bigint << 24) + n, $1::bigint, 'S' || lpad(n::text, 8, '0'),
      substr('赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨', 1 + (n * 7 % 16)::int, 1) ||
        substr('伟芳娜敏静丽强磊军洋勇艳杰娟涛明', 1 + (n * 11 % 16)::int, 1) ||
        substr('一二三四五六七八九十百千万东南西', 1 + (n / 16 % 16)::int, 1),
      case n % 2 when 0 then '1' else '2' end, date '2000-01-01' + (n % 3000)::int, '汉族',
      (2020 + n % 6)::text, '1', '139' || lpad((n % 100000000)::text, 8, '0'),
      's' || n || '@example.edu.cn', n % 40 || '栋', '某省某市某路' || n || '号', now(), now()
    from generate_series(1, $2::bigint) n`,
    [id, students],
  )
}
