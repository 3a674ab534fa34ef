"""`grade review` in a real browser: by keyboard alone, two graders, nothing lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from coursekit.grading.gradebook.book import Gradebook
from tests.loop.desks import NAME, fill, serving


@pytest.fixture
def class_of_six(tmp_path):
    path = fill(tmp_path / "gradebook.db", 6)
    with serving(path, "김조교", "이조교") as server:
        yield path, list(server.links.values())


@pytest.fixture
def desk(chrome):
    """Open a link as a grader with a browser of their own; fails on script errors and on
    requests that leave this machine.
    """
    contexts, errors = [], []

    def visit(link: str):
        context = chrome.new_context(viewport={"width": 1280, "height": 800})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and errors.append(message.text))
        page.on("request", lambda request: errors.append(request.url)
                if not request.url.startswith(("http://127.0.0.1:", "data:")) else None)  # fmt: skip
        page.goto(link)
        page.wait_for_selector("#form:not([hidden])")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert [error for error in errors if "409" not in error] == []


def current(page) -> str:
    return page.locator("#list [aria-current]").get_attribute("data-item")


def wait_for(page, item: str) -> None:
    expect(page.locator("#list [aria-current]")).to_have_attribute("data-item", item)


def grades(path) -> dict:
    with Gradebook(path) as book:
        return {
            item: (m.points, m.comment, m.grader) for (item, _), m in book.manuals(NAME).items()
        }


def test_a_class_is_graded_with_the_keyboard_alone(class_of_six, desk):
    path, links = class_of_six
    page = desk(links[0])
    assert page.locator("#question").input_value() == "문제 9"  # free text first
    assert "캐시 키를 말합니다" in page.locator("#side").inner_text()
    assert "<img" in page.locator("#answer").inner_text() and page.title() == "채점"
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    wait_for(page, "20230001")
    page.keyboard.press("m")
    page.keyboard.press("c")
    page.keyboard.type("이유가 분명합니다")
    page.keyboard.press("Control+Enter")
    wait_for(page, "20230002")
    page.keyboard.press("Alt+1")  # the words of before
    page.keyboard.press("2")
    page.keyboard.type(".5")
    page.keyboard.press("Enter")
    wait_for(page, "20230003")
    assert grades(path) == {
        "20230000": (3, "", "김조교"),
        "20230001": (4, "이유가 분명합니다", "김조교"),
        "20230002": (2.5, "이유가 분명합니다", "김조교"),
    }
    assert page.locator("#progress").inner_text() == "3/6 채점함"
    page.keyboard.press("j")
    wait_for(page, "20230004")
    page.keyboard.press("k")
    wait_for(page, "20230003")
    page.keyboard.press("9")
    page.keyboard.press("Enter")
    expect(page.locator("#state")).to_contain_text("0부터 4까지")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    assert "2023" not in page.locator("#list").inner_text()


def test_keys_work_with_a_korean_layout(class_of_six, desk):
    page = desk(class_of_six[1][0])
    page.evaluate(
        "() => document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'ㅓ', code: 'KeyJ', bubbles: true}))"
    )
    wait_for(page, "20230001")


def test_two_graders_get_different_answers_and_a_conflict_loses_nothing(class_of_six, desk):
    path, links = class_of_six
    kim, lee = desk(links[0]), desk(links[1])
    kim.keyboard.press("1")
    kim.keyboard.press("Enter")
    wait_for(kim, "20230001")
    # both look at the same answer
    lee.locator("#list button[data-item='20230001']").click()
    wait_for(lee, "20230001")
    expect(lee.locator("#state")).to_contain_text("김조교 채점자도")
    kim.locator("#points").fill("4")
    kim.locator("#comment").fill("김의 말")
    kim.keyboard.press("Control+Enter")
    wait_for(kim, "20230002")
    lee.locator("#comment").fill("이의 말")
    lee.locator("#points").fill("2")
    lee.keyboard.press("Enter")
    lee.wait_for_selector("#conflict:not([hidden])")
    assert "김의 말" in lee.locator("#conflict").inner_text()
    assert lee.locator("#comment").input_value() == "이의 말"
    assert grades(path)["20230001"] == (4, "김의 말", "김조교")
    lee.locator("#keep-mine").click()
    # 20230000 is graded and 20230002 is on the other desk
    wait_for(lee, "20230003")
    assert grades(path)["20230001"] == (2, "이의 말", "이조교")
    kim.locator("#list button[data-item='20230001']").click()
    wait_for(kim, "20230001")
    expect(kim.locator("#points")).to_have_value("2")
    kim.locator("#answer summary").click()
    expect(kim.locator("#answer")).to_contain_text("4점 김의 말 → 2점 이의 말")


def test_what_is_typed_survives_leaving_and_loading_anew(class_of_six, desk):
    page = desk(class_of_six[1][0])
    page.keyboard.press("c")
    page.keyboard.type("아직 쓰는 중")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    wait_for(page, "20230001")
    assert page.locator("#comment").input_value() == ""
    page.keyboard.press("k")
    wait_for(page, "20230000")
    expect(page.locator("#comment")).to_have_value("아직 쓰는 중")
    page.reload()
    page.wait_for_selector("#form:not([hidden])")
    expect(page.locator("#comment")).to_have_value("아직 쓰는 중")
    expect(page.locator("#state")).to_contain_text("저장하지 않은 글")


def test_the_engines_grade_can_be_overridden(class_of_six, desk):
    path, links = class_of_six
    page = desk(links[0])
    page.locator("#question").select_option("문제 1")
    page.locator("#filter").select_option("all")
    page.wait_for_selector("#form:not([hidden])")
    assert "입력 3에서 다릅니다" in page.locator("#side").inner_text()
    page.locator("body").press("a")
    assert page.locator("#points").input_value() == "2"
    page.locator("body").press("4")
    page.keyboard.press("Enter")
    wait_for(page, "20230001")
    assert grades(path)["20230000"][0] == 4


def test_a_list_that_comes_late_takes_nothing_away(class_of_six, desk):
    page = desk(class_of_six[1][0])
    held = []
    page.route("**/queue?*", lambda route: held.append(route))
    with page.expect_request("**/queue?*"):
        page.locator("#question").select_option("문제 1")
    with page.expect_request("**/queue?*"):
        page.locator("#filter").select_option("all")
    assert page.locator("#form").is_hidden()
    held[1].continue_()  # the second list overtakes the first
    page.wait_for_selector("#form:not([hidden])")
    page.locator("body").press("a")
    with page.expect_response("**/queue?*"):
        held[0].continue_()
    page.wait_for_timeout(300)  # time for what must not happen
    assert page.locator("#points").input_value() == "2"


def test_the_engines_questions_show_their_points_and_the_low_ones(class_of_six, desk):
    path, links = class_of_six
    with Gradebook(path) as book:
        row = book.find(NAME, "20230004")
        right = [replace(q, points=4) if q.name == "문제 1" else q for q in row.result.questions]
        book.save(replace(row.result, questions=right), row.answers, student=row.student)
    page = desk(links[0])
    page.locator("#question").select_option("문제 1")
    expect(page.locator("#list button").first).to_have_text("20230000 학생02점")
    assert page.locator("#filter").input_value() == "all"  # no text: nothing waits for a person
    expect(page.locator("#progress")).to_have_text("6개, 만점이 아닌 것 5개")
    # the engine's points stand while the box is empty
    expect(page.locator("#points")).to_have_attribute("placeholder", "2")
    page.locator("#filter").select_option("wrong")
    expect(page.locator("#list button")).to_have_count(5)
    page.wait_for_selector("#form:not([hidden])")
    page.keyboard.press("Escape")
    page.locator("body").press("4")
    page.keyboard.press("Enter")
    wait_for(page, "20230001")
    expect(page.locator("#list .low")).to_have_count(4)
    expect(page.locator("#progress")).to_have_text("6개, 만점이 아닌 것 4개, 사람이 정한 것 1개")
    page.locator("#question").select_option("문제 9")
    page.locator("#filter").select_option("all")
    expect(page.locator("#points")).to_have_attribute("placeholder", "")
    page.locator("#filter").select_option("odd")
    expect(page.locator("#answer")).to_contain_text("'보기'를 '모두'로 바꾸면")
    assert page.locator("#form").is_hidden()  # nothing is open, so nothing can be saved


def test_the_name_and_the_question_are_beside_the_answer(class_of_six, desk):
    page = desk(class_of_six[1][0])
    page.locator("#question").select_option("문제 1")
    expect(page.locator("#answer h1")).to_contain_text("학생0 20230000")
    assert not page.locator("#asked").get_attribute("open")
    page.locator("#asked summary").click()
    expect(page.locator("#asked")).to_contain_text("predict_traces()")
    page.keyboard.press("Escape")
    page.locator("body").press("j")
    wait_for(page, "20230001")
    expect(page.locator("#asked .text")).to_be_visible()  # stays unfolded
    page.locator("body").press("n")
    expect(page.locator("#answer h1 .name")).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 1300, 1600])
def test_verdicts_and_points_are_not_broken(class_of_six, desk, width):
    page = desk(class_of_six[1][0])
    page.set_viewport_size({"width": width, "height": 800})
    page.locator("#question").select_option("문제 1")
    expect(page.locator("#side td.fail")).to_be_visible()
    heights = page.locator("#side tr:first-child td").evaluate_all(
        "cells => cells.map(c => { const r = document.createRange(); r.selectNodeContents(c);"
        " return r.getBoundingClientRect().height; })"
    )
    assert max(heights[1:]) < 30  # one line


def test_it_fits_a_small_window(class_of_six, desk):
    page = desk(class_of_six[1][0])
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
