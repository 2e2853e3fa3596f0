"""The leaderboard's web site: static pages that ask no other host for anything.

Every text of a submission is hostile: it reaches a page through Jinja2's escaping or as JSON data that the scripts put
into text nodes, and never as markup, script, style or address.
"""
