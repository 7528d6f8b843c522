// Tables of a stranger whose exports are hard to take back: keys that are relations, titles that are
// masked or repeat, keys of every type, and values that spreadsheets change.

const odd = [
  ['=1+1', '-5', '007', ' lead', 'a,b', 'x（y）', '合计'],
  ['line\nbreak', "it's", '"q"', '12345678901234567890', '', '1/2', 'TRUE'],
] as const
const quoteSqlText = (text: string) => `'${text.replaceAll("'", "''")}'`
const long = '长'.repeat(3_000)

export const returningTables = `
  create schema back;
  create table back.student (xh varchar(12) primary key, xm varchar(20) not null);
  comment on column back.student.xm is '姓名';
  create table back.course (kch varchar(12) primary key, kcm varchar(40) not null unique);
  create table back.score (xh varchar(12) references back.student, kch varchar(12) references back.course,
    cj numeric(5,1), bz text, primary key (xh, kch));
  create table back.profile (xh varchar(12) primary key references back.student, bio text);
  create table back.place (id serial primary key, address varchar(60) not null);
  create table back.visit (place_id int references back.place, day date, note text, primary key (place_id, day));
  create table back.city (id serial primary key, name varchar(20) not null);
  create table back.trip (city_id int references back.city, no int, note text, primary key (city_id, no));
  create table back.stay (id serial primary key, city_id int references back.city, note text);
  create table back.label (code text primary key, name text not null, note text);
  create table back.use (code text references back.label, n int, note text, primary key (code, n));
  create table back.by_instant (at timestamptz primary key, note text);
  create table back.by_stamp (at timestamp primary key, note text);
  create table back.by_number (n numeric(6,2) primary key, note text);
  create table back.by_float (n float8 primary key, note text);
  create table back.by_day (day date primary key, note text);
  create table back.by_flag (ok boolean primary key, note text);
  create table back.by_uuid (id uuid primary key, note text);
  create table back.by_big (id bigint primary key, note text);
  create table back.by_char (code char(6) primary key, note text);
  create table back.by_all (at timestamptz, n numeric(6,2), day date, ok boolean, tm time, u uuid, t text, note text,
    primary key (at, n, day, ok, tm, u, t));
  create table back.vals (id bigserial primary key, name text, t text, n numeric(20,6), f float8, r real, b boolean,
    j jsonb, a text[], d date, ts timestamp, tz timestamptz, tm time, i bigint, email text, mobile varchar(20),
    total text, "结果" text, "原因" text);

  insert into back.student values ('2024001', '张伟'), ('2024002', '张伟'), ('007', '李娜'), ('A,B', '王（小）');
  insert into back.course values ('C1', '高等数学'), ('C2', '大学英语（一）'), ('C,3', '体育,二');
  insert into back.score select xh, kch, 60 + length(xh), case when xh = '007' then '=1+1' end
    from back.student, back.course;
  insert into back.profile select xh, '介绍 ' || xh from back.student;
  insert into back.place (address) values ('上海市徐汇区漕溪北路 1 号'), ('上海市徐汇区漕溪北路 2 号'), ('北京市海淀区');
  insert into back.visit select id, date '2024-02-29' + n, 'v' || n from back.place, generate_series(0, 1) as n;
  insert into back.city (name) values ('朝阳'), ('朝阳'), ('Springfield'), ('springfield'), ('上海');
  insert into back.trip select id, n, 'n' from back.city, generate_series(1, 2) as n;
  insert into back.stay (city_id, note) select id, 'n' from back.city union all select null, 'none';
  insert into back.label values ${odd
    .flat()
    .filter((text) => text !== '')
    .map((text, n) => `(${quoteSqlText(text)}, ${quoteSqlText(n % 2 === 0 ? text : '同名')}, 'n')`)
    .join(', ')};
  insert into back.use select code, n, 'n' from back.label, generate_series(1, 2) as n;
  insert into back.by_instant values ('2024-02-29 23:59:59.123456+08', 'a'), ('2024-01-01 00:00:00+08', 'b');
  insert into back.by_stamp values ('2024-02-29 23:59:59.123456', 'a'), ('2024-02-29 23:59:59', 'b'), ('2024-01-01', 'c');
  insert into back.by_number values (1.50, 'a'), (-5, 'b'), (0, 'c'), (1000, 'd');
  insert into back.by_float values (0.1, 'a'), (1e21, 'b'), (-2, 'c');
  insert into back.by_day values ('2024-02-29', 'a'), ('1900-01-01', 'b');
  insert into back.by_flag values (true, 'a'), (false, 'b');
  insert into back.by_uuid values ('ABCDEF01-0000-4000-8000-000000000001', 'a'), (gen_random_uuid(), 'b');
  insert into back.by_big values (9007199254740993, 'a'), (-1, 'b');
  insert into back.by_char values ('ab', 'a'), ('007', 'b');
  insert into back.by_all values
    ('2024-02-29 10:00+08', 1.50, '2024-02-29', true, '10:10:10', gen_random_uuid(), 'a,b~c', 'a'),
    ('2024-02-29 10:00+08', 1.50, '2024-02-29', false, '10:10:10', gen_random_uuid(), '合计', 'b');
  insert into back.vals (name, t, n, f, r, b, j, a, d, ts, tz, tm, i, email, mobile, total, "结果", "原因")
    select 'v' || n, t, n * 1.000001, n / 3.0, n / 3.0, n % 2 = 0, '{"a": [1, "x"]}', array['a,b', null, t],
      date '2024-02-29' + n::int, '2024-02-29 10:10:10.123456', '2024-02-29 10:10:10+08', '10:10:10',
      9007199254740993 + n, 'a' || n || '@example.com', '1380000000' || n, '合计', '好', '因' || n
    from unnest(array[${odd.flat().map(quoteSqlText).join(', ')}]) with ordinality as u(t, n) where n < 10;
  insert into back.place (address) values ('');
  insert into back.vals (name) values (null), ('');
  insert into back.vals (name, t) values ('long', '${long}');
`
