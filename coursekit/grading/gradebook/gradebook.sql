-- the tables of a gradebook, version 1
create table exercises (
    name text primary key, title text not null, possible integer not null,
    version text not null, seed text not null, questions text not null
);
create table students (
    id text primary key, name text not null, row text not null, position integer not null
);
create table rosters (only integer primary key check (only = 1), columns text not null);
-- item: the name of the file in the folder that was graded, unique in its exercise
create table submissions (
    exercise text not null, item text not null, student text, late integer, submitted text,
    original text not null default '', digest text not null, status text not null,
    points integer not null, result text not null, answers text not null, graded text not null,
    primary key (exercise, item)
) without rowid;
create unique index one_per_student on submissions (exercise, student) where student is not null;
create table manual (
    exercise text not null, item text not null, question text not null,
    points real, comment text not null, grader text not null, answer text not null,
    version integer not null, changed text not null,
    primary key (exercise, item, question)
) without rowid;
create table events (
    id integer primary key, at text not null, who text not null, exercise text not null,
    item text not null, question text not null, kind text not null, before text, after text
);
create index events_of on events (exercise, item, question);
create table phrases (
    exercise text not null, question text not null, text text not null, used integer not null,
    primary key (exercise, question, text)
) without rowid;
