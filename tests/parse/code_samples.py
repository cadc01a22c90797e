"""One small file of each language, and its outline: the lines and names of its blocks."""

from __future__ import annotations

SMALL: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "a.js": (
        """\
import x from 'x';

/** Signs in. */
export const login = async () => {
  x();
};

Session.prototype.close = function () {
  x();
};

export default class A {
  b() {}
}
""",
        [("L1", ""), ("L3-6", "login"), ("L8-10", "Session.close"), ("L12-14", "A")],
    ),
    "a.ts": (
        """\
@Injectable()
export abstract class A<T> {
  x = 1;
}

interface I { a(): void }
type X = { a: string };
namespace N.M {
  export function g() {}
}
export enum E { A }
""",
        [("L1-4", "A"), ("L6", "I"), ("L7", "X"), ("L8", "N.M"), ("L9", "N.M.g"), ("L11", "E")],
    ),
    "a.tsx": (
        """\
export function View(): JSX.Element {
  return <b>x</b>;
}

const y = <T,>(a: T) => a;
""",
        [("L1-3", "View"), ("L5", "y")],
    ),
    "A.java": (
        """\
package a;

import b.C;

/** Doc. */
@Deprecated
public class A {
  void f() {}
}
record R(int x) {}
""",
        [("L1-3", ""), ("L5-9", "A"), ("L10", "R")],
    ),
    "a.go": (
        """\
package x

import (
	"fmt"
)

// A is it.
type A struct {
	x int
}

// Close closes.
func (a *A) Close() error {
	return nil
}
""",
        [("L1-5", ""), ("L7-10", "A"), ("L12-15", "A.Close")],
    ),
    "a.rs": (
        """\
use a::b;

/// Doc.
#[derive(Debug)]
pub struct A<T> {
    x: T,
}

impl<T> Display for A<T> {
    fn fmt(&self) {}
}

mod m {
    fn x() {}
}
""",
        [("L1", ""), ("L3-7", "A"), ("L9-11", "A"), ("L13", "m"), ("L14", "m.x")],
    ),
    "a.h": (
        """\
#ifndef A_H
#define A_H

/* A pair. */
typedef struct {
  int a;
} pair_t;

struct bar { int x; };
int f(int);

static const char *name(int a) {
  return 0;
}
#endif
""",
        [("L1-2", ""), ("L4-7", "pair_t"), ("L9", "bar"), ("L10", ""), ("L12-14", "name")],
    ),
    "b.h": (
        """\
namespace a::b {

template <class T>
class Foo {
  int x;
};

}
""",
        [("L1", "a.b"), ("L3-6", "a.b.Foo")],
    ),
    "a.cpp": (
        """\
#include <x>

const T &Foo<T>::get() const {
  return x;
}

extern "C" {
int f() {
  return 1;
}
}
""",
        [("L1", ""), ("L3-5", "Foo.get"), ("L7", ""), ("L8-10", "f")],
    ),
    "A.cs": (
        """\
using System;

namespace A.B
{
    /// <summary>C.</summary>
    [Attr]
    public class C
    {
        public int X { get; set; }
    }
}
""",
        [("L1", ""), ("L3-4", "A.B"), ("L5-10", "A.B.C")],
    ),
    "a.rb": (
        """\
require 'x'

module A
  # Doc.
  class B < C
    def x; end
  end

  def self.z
    1
  end
end
""",
        [("L1", ""), ("L3", "A"), ("L4-7", "A.B"), ("L9-11", "A.z")],
    ),
    "a.php": (
        """\
<?php
namespace A\\B;

/** Doc. */
abstract class C {
  public function x() {}
}

if (!function_exists('f')) {
  function f() {}
}
""",
        [("L1-2", ""), ("L4-7", "C"), ("L9", ""), ("L10", "f")],
    ),
    "a.sh": (
        """\
#!/bin/sh
set -e

# Greets.
greet() {
  echo hi
}

greet
""",
        [("L1-2", ""), ("L4-7", "greet"), ("L9", "")],
    ),
    "a.sql": (
        """\
-- Schema
SET x = 1;

-- People.
CREATE TABLE IF NOT EXISTS public."Users" (
  id int, -- a; b
  note text DEFAULT 'x;y'
);
INSERT INTO a VALUES (1);

CREATE OR REPLACE FUNCTION f() RETURNS int AS $body$
BEGIN
  CREATE TABLE z (x int);
  RETURN 1;
END;
$body$ LANGUAGE plpgsql;
CREATE TRIGGER t AFTER INSERT ON a BEGIN
  UPDATE a SET x = CASE WHEN 1 THEN 2 END;
  DELETE FROM b;
END;
SELECT 1;
""",
        [
            ("L1-2", ""),
            ("L4-8", "public.Users"),
            ("L9", ""),
            ("L11-16", "f"),
            ("L17-20", "t"),
            ("L21", ""),
        ],
    ),
    "a.kt": (
        """\
package a

fun main() {
    x()

    y()
}

class A
""",
        [("L1", ""), ("L3-7", ""), ("L9", "")],
    ),
}
